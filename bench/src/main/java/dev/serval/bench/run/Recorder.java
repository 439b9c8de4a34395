package dev.serval.bench.run;

import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Report;
import java.io.IOException;
import java.util.List;

/// Follows a run cell by cell. All calls come from the thread of the run.
public interface Recorder {
    /// A recorder that keeps nothing.
    Recorder NONE =
            new Recorder() {
                @Override
                public void begins(Report head) {}

                @Override
                public void cellBegins(String cell) {}

                @Override
                public void cellEnded(String cell, List<CellResult> results) {}
            };

    /// Called once, before the first cell.
    ///
    /// @param head the report without cells
    void begins(Report head) throws IOException;

    /// Called before a cell is measured.
    void cellBegins(String cell);

    /// Called after a cell was measured or has failed, but not if the run was interrupted.
    void cellEnded(String cell, List<CellResult> results) throws IOException;
}
