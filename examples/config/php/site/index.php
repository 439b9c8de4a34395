<?php
require __DIR__ . '/pages.inc';
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
header('Content-Type: text/plain; charset=utf-8');
if (!isset($pages[$path])) {
    http_response_code(404);
    echo "There is no page $path.\n";
} else {
    echo $pages[$path], "\n";
}
