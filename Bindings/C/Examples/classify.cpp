// Classifies pictures.
//     c++ -std=c++17 classify.cpp $(pkg-config --cflags --libs apus) -o classify && ./classify MODEL PICTURE...
#include <apus.h>

#include <iostream>
#include <memory>
#include <stdexcept>
#include <vector>

namespace {

struct Free {
  void operator()(void *block) const { apus_free(block); }
};
template <typename Block>
using Owned = std::unique_ptr<Block, Free>;

/// Makes an exception of what went wrong.
template <typename Call>
void check(Call call) {
  apus_error *error = nullptr;
  const apus_status status = call(&error);
  Owned<apus_error> owned(error);
  if (status) throw std::runtime_error(error ? error->message : apus_status_name(status));
}

class Classifier {
 public:
  explicit Classifier(const char *name) {
    check([&](apus_error **error) {
      return apus_open(name, "image-classification", nullptr, nullptr, &model_, error);
    });
  }
  ~Classifier() { apus_model_release(model_); }
  Classifier(const Classifier &) = delete;
  Classifier &operator=(const Classifier &) = delete;

  Owned<apus_classifications> classify(const std::vector<const char *> &paths) const {
    std::vector<apus_image> images;
    for (auto path : paths) {
      apus_image image = APUS_INIT(apus_image);
      image.kind = APUS_IMAGE_PATH;
      image.data = path;
      image.length = -1;
      images.push_back(image);
    }
    apus_classifications *results = nullptr;
    check([&](apus_error **error) {
      return apus_classify_images(model_, images.data(), int64_t(images.size()), 1, nullptr, &results, error);
    });
    return Owned<apus_classifications>(results);
  }

 private:
  apus_model *model_ = nullptr;
};

}  // namespace

int main(int count, char **arguments) {
  if (count < 3) return 2;
  try {
    std::vector<const char *> paths(arguments + 2, arguments + count);
    auto results = Classifier(arguments[1]).classify(paths);
    for (int64_t i = 0; i < results->count; i++) {
      const apus_prediction &best = results->items[i].predictions[0];
      std::cout << paths[size_t(i)] << ": " << best.label << " " << best.score << "\n";
    }
  } catch (const std::exception &error) {
    std::cerr << "classify: " << error.what() << "\n";
    return 1;
  }
}
