"""Keys of the files of sentence-transformers, each with the values that it is given."""
from .changes import ABSENT

SETTINGS = {
    "max_seq_length": [4, 6, None, "x"], "do_lower_case": [True, False, None], "model_args": [{}, {"dtype": "float32"}],
    "tokenizer_args": [{}, {"do_lower_case": False}], "config_args": [{}, {"hidden_act": "relu"}], "model_kwargs": [{}],
    "processor_kwargs": [{"do_lower_case": False}], "config_kwargs": [{"hidden_act": "relu"}],
    "transformer_task": ["feature-extraction", "fill-mask"], "unpad_inputs": [False, None],
    "module_output_name": ["token_embeddings", "x"], "processing_kwargs": [{}, {"text": {"truncation": False}}],
    "modality_config": [{"text": {"method": "forward", "method_output_name": "last_hidden_state"}}],
    "query_length": [4], "something_new": [1, None],
}

# The older names of the file, which count where the first is not there.
SIBLINGS = [f"sentence_{name}_config.json" for name in (
    "roberta", "distilbert", "camembert", "albert", "xlm-roberta", "xlnet")]

POOLING = {
    "pooling_mode_cls_token": [True, False], "pooling_mode_mean_tokens": [False, True],
    "pooling_mode_max_tokens": [True], "pooling_mode_mean_sqrt_len_tokens": [True],
    "pooling_mode_weightedmean_tokens": [True, False], "pooling_mode_lasttoken": [True, False],
    "include_prompt": [True, False], "pooling_mode": ["cls", "mean", ["cls"], ["cls", "mean"], "max"],
    "embedding_dimension": [24], "word_embedding_dimension": [24, 8, None], "something_new": [1, None],
}

PROMPTS = [
    {}, {"default_prompt_name": "q", "prompts": {"q": "a dog "}}, {"prompts": {"q": "a dog "}}, {"truncate_dim": 8},
    {"default_prompt_name": "q", "prompts": {"d": "a dog "}}, {"default_prompt_name": "q"}, {"prompts": None},
    {"similarity_fn_name": "dot"}, {"similarity_fn_name": None}, {"model_type": "SentenceTransformer"},
    {"model_type": "SparseEncoder"}, {"__version__": {"sentence_transformers": "2.0.0"}}, {"something_new": 1},
    {"default_prompt_name": None, "prompts": {}},
]

MODULES = {
    "0.path": ["0_Transformer", "."], "1.path": ["1_Pooling", "./1_Pooling", "pool"], "0.kwargs": [["task"]],
    "0.name": ["x"], "0.idx": [5],
    "0.type": ["sentence_transformers.base.modules.transformer.Transformer", "other.Transformer"],
    "1.type": ["sentence_transformers.models.Dense", "other.Pooling",
               "sentence_transformers.sentence_transformer.modules.Pooling"],
    "2.type": ["sentence_transformers.models.Dense", "sentence_transformers.base.modules.normalize.Normalize"],
    "0.something_new": [1],
}

SENTENCE = {
    "sentence_bert_config.json": {"": [ABSENT], **SETTINGS},
    **{name: {"": [{"max_seq_length": 4}, {"max_seq_length": 5, "do_lower_case": True}]} for name in SIBLINGS},
    "1_Pooling/config.json": POOLING,
    "config_sentence_transformers.json": {"": PROMPTS},
    "modules.json": {"": [ABSENT], **MODULES},
    "2_Normalize/config.json": {"": [{}, {"module_input_name": "token_embeddings"},
                                     {"module_input_name": "sentence_embedding"}]},
}

# What is made of a cross-encoder's logits.
ACTIVATION = ["torch.nn.modules.linear.Identity", "torch.nn.Identity", "torch.nn.modules.activation.Sigmoid",
              "torch.nn.Sigmoid", "torch.nn.modules.activation.Tanh", "nonsense", None, 3]

CROSS_ENCODER = {
    "sbert_ce_default_activation_function": ACTIVATION, "sentence_transformers.activation_fn": ACTIVATION,
    "sentence_transformers.version": ["2.0.0", None], "sentence_transformers": [{}, None, 3],
    "sentence_transformers.something_new": [1],
}

DENSE = {
    "in_features": [24, 23, None], "out_features": [40, 41, None], "bias": [False, True, None], "activation_function": [
        "torch.nn.modules.activation.Tanh", "torch.nn.modules.activation.ReLU", "torch.nn.modules.activation.GELU",
        "torch.nn.modules.activation.SiLU", "torch.nn.modules.linear.Identity", "torch.nn.modules.activation.Sigmoid",
        "nonsense", None],
    "module_input_name": ["sentence_embedding", "token_embeddings", None], "module_output_name": ["sentence_embedding", None],
    "use_residual": [True, False, None], "something_new": [1],
}

# A decoder whose answer is scored.
ANSWERING_MODULES = {
    "1_LogitScore/config.json": {
        "true_token_id": [5, 7, 0, -1, 100000, None, "x"], "false_token_id": [9, None, 100000], "something_new": [1],
        "module_input_name": ["causal_logits", "scores", None]},
    "sentence_bert_config.json": {
        "max_seq_length": [40, 70, None], "transformer_task": ["text-generation", "feature-extraction", None],
        "module_output_name": ["causal_logits", "scores"], "processing_kwargs": [
            {}, {"chat_template": {"add_generation_prompt": False}}, {"chat_template": {"add_generation_prompt": True}}],
        "modality_config": [{"text": {"method": "forward", "method_output_name": "logits"}}]},
    "config_sentence_transformers.json": {
        "activation_fn": ACTIVATION, "prompts": [{}, {"q": "Is it?"}], "default_prompt_name": ["web", "q", None]},
}

CROSS_ENCODER_MODULES = {
    "sentence_bert_config.json": {
        "": [ABSENT], **SETTINGS, "transformer_task": ["sequence-classification", "feature-extraction", None],
        "module_output_name": ["scores", "x", None],
        "modality_config": [{"text": {"method": "forward", "method_output_name": "last_hidden_state"}}],
    },
    "config_sentence_transformers.json": {
        "": [ABSENT], "activation_fn": ACTIVATION, "model_type": ["SentenceTransformer", "CrossEncoder", None],
        "prompts": [{"q": "a dog "}, None], "default_prompt_name": ["q", None], "something_new": [1],
        "__version__": [{"sentence_transformers": "5.0.0"}, {}, None],
    },
    "modules.json": {
        "": [ABSENT], "0.path": ["0_Transformer", "."], "0.kwargs": [["task"]], "0.name": ["x"], "0.idx": [5],
        "0.type": ["sentence_transformers.models.Transformer", "other.Transformer"], "0.something_new": [1],
    },
}
