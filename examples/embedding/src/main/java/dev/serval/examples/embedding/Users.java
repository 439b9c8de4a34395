package dev.serval.examples.embedding;

import dev.serval.Serval;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Stores users by number: a path parameter, and several methods of one path.
final class Users {
    private Users() {}

    static Serval start(int port) throws IOException {
        Map<String, String> users = new ConcurrentHashMap<>();
        return Serval.listen(port)
                .get("/users/{id}", x -> x.json(users.getOrDefault(x.param("id"), "null")))
                .put("/users/{id}", x -> users.put(x.param("id"), x.bodyText()))
                .delete("/users/{id}", x -> users.remove(x.param("id")))
                .post("/users", x -> x.status(201).field("Location", "/users/" + users.size()))
                .start();
    }
}
