package dev.serval.bench.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/// The result of a cell without figures, because it failed as a whole or the machine lacks
/// something.
public record AbsentResult(String cell, String title, Gap.Kind reason, String why)
        implements CellResult {
    /// Returns FAIL if the cell failed.
    @Override
    @JsonProperty("verdict")
    public Verdict verdict() {
        return switch (reason) {
            case FAILED -> Verdict.FAIL;
            case NOT_MEASURED -> Verdict.NONE;
        };
    }

    @Override
    public List<Gap> gaps() {
        return List.of(new Gap(cell, "", reason, why));
    }
}
