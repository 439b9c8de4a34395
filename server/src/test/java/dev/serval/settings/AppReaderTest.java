package dev.serval.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AppReaderTest {
    @TempDir private Path folder;

    private AppChoice apps(String keys) throws IOException {
        return new WrittenFile(folder).right("[applications]\n" + keys).apps();
    }

    @Test
    void logsAndEncodingMayBeNone() throws IOException {
        AppChoice none = apps("logs = 'none'\nencoding = 'none'\n");
        assertThat(none.logs()).isNull();
        assertThat(none.encoding()).isNull();
        assertThat(apps("logs = 'x/../logs'").logs()).isEqualTo(folder.resolve("logs"));
    }

    @Test
    void limitsOfFormsAreRead() throws IOException {
        assertThat(apps("").forms()).isEqualTo(AppChoice.Forms.STANDARD);
        assertThat(apps("form = '8m'\nparameters = 5000\nparts = 200").forms())
                .isEqualTo(new AppChoice.Forms(8 << 20, 5000, 200));
    }

    @Test
    void folderOfSessionsIsRelativeToTheFile() throws IOException {
        assertThat(apps("sessions.store = 'files=x/../kept'").sessions().place())
                .isEqualTo(new SessionChoice.Place.Files(folder.resolve("kept")));
    }
}
