package dev.serval.live;

import dev.serval.live.Board.Cell;
import dev.serval.live.Board.Chart;
import dev.serval.live.Board.Table;
import dev.serval.live.Board.Tile;
import dev.serval.policy.LoadMode;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Writes a board as JSON, for the script of the page. Stateless.
final class JsonBoard {
    private JsonBoard() {}

    static ObjectNode json(Board board) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("title", board.title()).put("time", board.time());
        json.put("span", board.span().seconds());
        ArrayNode modes = json.putArray("modes");
        for (ModeBand.Stretch one : board.modes().stretches()) {
            modes.addObject()
                    .put("from", -one.fromAge())
                    .put("to", -one.toAge())
                    .put("mode", one.mode().text())
                    .put("height", ModeBand.height(one.mode()));
        }
        Map<LoadMode, String> times = board.modes().times();
        ObjectNode legend = json.putObject("legend");
        for (LoadMode mode : LoadMode.values()) {
            legend.put(mode.text(), times.getOrDefault(mode, "–"));
        }
        ArrayNode tiles = json.putArray("tiles");
        board.tiles().forEach(tile -> add(tile, tiles.addObject()));
        ArrayNode charts = json.putArray("charts");
        board.charts().forEach(chart -> add(chart, charts.addObject()));
        ArrayNode tables = json.putArray("tables");
        board.tables().forEach(table -> add(table, tables.addObject()));
        return json;
    }

    private static void add(Tile tile, ObjectNode json) {
        json.put("id", tile.id())
                .put("value", tile.value())
                .put("note", tile.note())
                .put("tone", tile.tone().text());
    }

    private static void add(Chart chart, ObjectNode json) {
        json.put("id", chart.id()).put("title", chart.title()).put("unit", chart.unit());
        ArrayNode lines = json.putArray("lines");
        for (Board.Line line : chart.lines()) {
            ObjectNode one = lines.addObject();
            one.put("name", line.name());
            ArrayNode points = one.putArray("points");
            for (int i = 0; i < line.values().size(); i++) {
                points.addObject().put("x", -line.ages().get(i)).put("y", line.values().get(i));
            }
        }
    }

    private static void add(Table table, ObjectNode json) {
        json.put("id", table.id()).put("empty", table.empty());
        ArrayNode columns = json.putArray("columns");
        table.columns().forEach(columns::add);
        ArrayNode rows = json.putArray("rows");
        for (List<Cell> row : table.rows()) {
            ArrayNode cells = rows.addArray();
            for (Cell cell : row) {
                ObjectNode one = cells.addObject();
                one.put("text", cell.text()).put("tone", cell.tone().text());
                if (!cell.parts().isEmpty()) {
                    ArrayNode parts = one.putArray("parts");
                    cell.parts().forEach(parts::add);
                }
            }
        }
    }
}
