-- Prints the exact figures of a wrk run on one line. `done` runs once, so it costs nothing per request.
done = function(summary, latency, requests)
  local e = summary.errors
  io.write(string.format("serval-bench %d %d %d %d %d %d %d %d %.0f\n",
    summary.requests, summary.bytes, summary.duration,
    e.connect, e.read, e.write, e.timeout, e.status, latency:percentile(99.0)))
end
