[.[] | {key: ((.benchmark | split(".") | last) + (if .params then " " + .params.distance else "" end)),
        value: .primaryMetric}] | from_entries as $all
| [["repeated", "repeatedAnew"], ["nextPage", "nextPageAnew"], ["strangers", "strangersAnew"],
   ["nameHash", "nameString"], ["scanWords", "scanBytes"],
   ["sharing 16", "sharing 1"], ["sharing 3", "sharing 1"]][]
| . as [$with, $without] | $all[$with] as $a | $all[$without] as $b | select($a and $b)
| ($a.score / $b.score) as $ratio
| ($ratio * (pow($a.scoreError / $a.score; 2) + pow($b.scoreError / $b.score; 2) | sqrt)) as $error
| "\($with) ÷ \($without): \($ratio * 1000 | round / 1000) ± \($error * 1000 | round / 1000)"
