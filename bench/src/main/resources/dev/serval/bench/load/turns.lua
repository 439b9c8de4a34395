-- Sends one request for each value of a field in turn.
local requests, at = {}, 0
init = function(args)
  for i, value in ipairs(values) do
    wrk.headers[field] = value
    requests[i] = wrk.format()
  end
end
request = function()
  at = at % #requests + 1
  return requests[at]
end
