"""Keys of preprocessor_config.json, each with the values that it is given."""

PICTURE = {
    "image_processor_type": [
        "ViTImageProcessor", "ViTImageProcessorFast", "ViTFeatureExtractor", "CLIPImageProcessor",
        "DeiTImageProcessor", "SiglipImageProcessor", "MobileNetV2ImageProcessor", "ConvNextImageProcessor",
        "ConvNextFeatureExtractor", "Nonsense", None],
    "do_resize": [False, True, None],
    "size": [24, {"height": 24, "width": 24}, {"shortest_edge": 24}, {"longest_edge": 24}, {"height": 24}, [24, 24],
             None, {"shortest_edge": 30}, {"height": 24, "width": 24, "x": 1}, {"shortest_edge": 384}, 384],
    "resample": [0, 1, 2, 3, 4, 5, None], "do_center_crop": [True, False, None],
    "crop_size": [24, {"height": 24, "width": 24}, {"height": 16, "width": 16}, {"shortest_edge": 24}, None],
    "crop_pct": [0.5, 1.0, 0.9, None], "do_rescale": [False, None], "rescale_factor": [0.01, 1.0, None],
    "do_normalize": [False, None], "image_mean": [[0.1, 0.2, 0.3], 0.25, None, [0.5]],
    "image_std": [[0.1, 0.2, 0.3], 0.25, None], "do_convert_rgb": [False, None], "do_pad": [True, False],
    "pad_size": [{"height": 40, "width": 40}], "do_flip_channel_order": [True, False], "do_reduce_labels": [True],
    "default_to_square": [True, False, None], "data_format": ["channels_first"],
    "input_data_format": ["channels_last"], "device": ["cpu"], "processor_class": ["CLIPProcessor"],
    "feature_extractor_type": ["ViTFeatureExtractor"], "return_tensors": ["pt"], "disable_grouping": [True],
    "image_seq_length": [3], "something_new": [1, None], "do_something": [True], "transformers_version": ["3.0"],
    "auto_map": [{"AutoImageProcessor": "a.B"}],
}
BEIT_PICTURE = {
    **PICTURE, "image_processor_type": PICTURE["image_processor_type"] + [
        "BeitImageProcessor", "BeitImageProcessorFast", "BeitFeatureExtractor"],
    "do_reduce_labels": [True, False, None], "reduce_labels": [True, False, None],
}
DINOV2_PICTURE = {
    **PICTURE, "image_processor_type": PICTURE["image_processor_type"] + ["BitImageProcessor", "BitImageProcessorFast"],
}
