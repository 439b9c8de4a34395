package dev.serval.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.config.Keys;
import dev.serval.config.Mistakes;
import dev.serval.config.Node;
import dev.serval.config.SchemaReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Any text in place of a patch, and any path: no exception but that for broken JSON, and what is right
/// says the same as a tree and as JSON.
final class AdminFuzz {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String CONFIG =
            "{\"mount\":[{\"at\":\"/\",\"folder\":\"a\"}],\"limits\":{\"content\":\"1m\"}}";

    @FuzzTest(maxDuration = "20s")
    void change(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        int cut = text.indexOf(' ');
        String path = cut < 0 ? "" : text.substring(0, cut);
        JsonPath at = JsonPath.of(path);
        JsonNode sent;
        try {
            sent = JSON.readTree(text.substring(cut + 1));
        } catch (JacksonException e) {
            return;
        }
        ObjectNode root = (ObjectNode) JSON.readTree(CONFIG);
        JsonNode value = MergePatch.applied(at.find(root), sent);
        if (at.steps().isEmpty() || !at.put(root, value)) {
            return;
        }
        Mistakes mistakes = new Mistakes();
        Node.Table tree = JsonTree.tree(root, null, Map.of(), mistakes);
        SchemaReader.read(tree, Keys.ROOT, mistakes);
        if (mistakes.none()) {
            assertThat(JsonTree.json(tree, Keys.ROOT).toString()).isEqualTo(root.toString());
        }
        at.remove(root);
    }
}
