<?php header('Content-Type: application/octet-stream'); readfile('${root}/' . basename(parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)));
