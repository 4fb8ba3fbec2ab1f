# An image that holds Apus and nothing that built it.
#
#   docker build -t apus .
#   docker run --rm -v "$PWD:/data" -w /data --network none apus classify photo.jpg --model mobilenet.tflite

FROM swift:6.3-bookworm AS build
COPY . /source
RUN cd /source && apt-get update && Tools/package /packages

FROM debian:12-slim
# Mounted, not copied: a copy would stay in the image.
RUN --mount=type=bind,from=build,source=/packages,target=/packages \
  apt-get update \
  && apt-get install -y --no-install-recommends /packages/*.deb libopenblas0-pthread \
  && rm -rf /var/lib/apt/lists/*
USER nobody
ENV APUS_CACHE=off
ENTRYPOINT ["apus"]
