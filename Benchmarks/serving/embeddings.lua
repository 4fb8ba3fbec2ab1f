-- Requests of one sentence each, as clients of /v1/embeddings send them.
-- Arguments of the script: the fewest and the most words of a sentence, by default 5 and 40.
math.randomseed(7)
local words = {"a", "swift", "bird", "flies", "over", "the", "old", "town", "while", "people", "read", "their",
  "morning", "papers", "and", "drink", "coffee", "in", "small", "cafes", "near", "river", "where", "boats", "wait"}
local bodies = {}

init = function(arguments)
  for index = 1, 200 do
    local text = {}
    local count = math.random(tonumber(arguments[1] or "5"), tonumber(arguments[2] or "40"))
    for word = 1, count do text[word] = words[math.random(#words)] end
    bodies[index] = '{"model":"minilm","encoding_format":"base64","input":"' .. table.concat(text, " ") .. '"}'
  end
end

wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
local turn = 0

request = function()
  turn = turn % #bodies + 1
  return wrk.format(nil, "/v1/embeddings", nil, bodies[turn])
end

done = function(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    '{"requests": %d, "seconds": %.3f, "p50": %.3f, "p90": %.3f, "p99": %.3f, "max": %.3f, "status": %d, "socket": %d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(90) / 1e3,
    latency:percentile(99) / 1e3, latency.max / 1e3, errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
