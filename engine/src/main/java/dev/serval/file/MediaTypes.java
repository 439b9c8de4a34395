package dev.serval.file;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds media types by the extension of a file's name, as registered with IANA if they are.
/// Stateless.
public final class MediaTypes {
    /// The type of files whose extension is unknown (RFC 9110 §8.3).
    static final String UNKNOWN = "application/octet-stream";

    /// The table, with a type and its extensions on each line.
    private static final String TABLE =
            """
            application/atom+xml atom
            application/cbor cbor
            application/dash+xml mpd
            application/epub+zip epub
            application/geo+json geojson
            application/gpx+xml gpx
            application/gzip gz tgz
            application/java-archive jar war ear
            application/json json map
            application/json5 json5
            application/jsonl jsonl ndjson
            application/ld+json jsonld
            application/manifest+json webmanifest
            application/mathml+xml mathml
            application/mbox mbox
            application/msword doc dot
            application/octet-stream bin dll dmg exe img iso msi msp msm deb so
            application/ogg ogx
            application/pdf pdf
            application/pgp-encrypted pgp
            application/pgp-signature sig
            application/pkcs10 p10
            application/pkcs7-mime p7m p7c
            application/pkcs7-signature p7s
            application/pkix-cert cer
            application/pkix-crl crl
            application/postscript ps eps ai
            application/rdf+xml rdf
            application/relax-ng-compact-syntax rnc
            application/rss+xml rss
            application/rtf rtf
            application/smil+xml smil smi
            application/sparql-query rq
            application/sql sql
            application/toml toml
            application/trig trig
            application/ttml+xml ttml
            application/vnd.android.package-archive apk
            application/vnd.apple.installer+xml mpkg
            application/vnd.apple.mpegurl m3u8
            application/vnd.apple.pkpass pkpass
            application/vnd.google-earth.kml+xml kml
            application/vnd.google-earth.kmz kmz
            application/vnd.ms-excel xls xlt
            application/vnd.ms-fontobject eot
            application/vnd.ms-outlook msg
            application/vnd.ms-powerpoint ppt pps pot
            application/vnd.mozilla.xul+xml xul
            application/vnd.oasis.opendocument.graphics odg
            application/vnd.oasis.opendocument.presentation odp
            application/vnd.oasis.opendocument.spreadsheet ods
            application/vnd.oasis.opendocument.text odt
            application/vnd.openxmlformats-officedocument.presentationml.presentation pptx
            application/vnd.openxmlformats-officedocument.presentationml.slideshow ppsx
            application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx
            application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
            application/vnd.rar rar
            application/vnd.sqlite3 sqlite sqlite3
            application/vnd.visio vsd
            application/wasm wasm
            application/x-7z-compressed 7z
            application/x-bittorrent torrent
            application/x-bzip2 bz2
            application/x-debian-package udeb
            application/x-java-jnlp-file jnlp
            application/x-pkcs12 p12 pfx
            application/x-redhat-package-manager rpm
            application/x-sh sh
            application/x-shockwave-flash swf
            application/x-tar tar
            application/x-tex tex
            application/x-x509-ca-cert der pem crt
            application/x-xpinstall xpi
            application/x-xz xz
            application/xhtml+xml xhtml xht
            application/xml xml xsd rng
            application/xml-dtd dtd
            application/xslt+xml xslt xsl
            application/xspf+xml xspf
            application/yaml yaml yml
            application/zip zip
            application/zstd zst
            audio/3gpp2 3ga
            audio/aac aac
            audio/aiff aif aiff aifc
            audio/basic au snd
            audio/flac flac
            audio/matroska mka
            audio/midi mid midi kar
            audio/mp4 m4a m4b
            audio/mpeg mp3 mp2 mpga
            audio/ogg oga ogg spx opus
            audio/wav wav
            audio/webm weba
            audio/x-mpegurl m3u
            font/collection ttc
            font/otf otf
            font/ttf ttf
            font/woff woff
            font/woff2 woff2
            image/apng apng
            image/avif avif
            image/bmp bmp
            image/cgm cgm
            image/gif gif
            image/heic heic
            image/heif heif
            image/jp2 jp2 jpg2
            image/jpeg jpg jpeg jpe jfif
            image/jxl jxl
            image/ktx ktx
            image/ktx2 ktx2
            image/png png
            image/svg+xml svg
            image/tiff tif tiff
            image/vnd.adobe.photoshop psd
            image/vnd.djvu djvu djv
            image/vnd.dxf dxf
            image/vnd.microsoft.icon ico cur
            image/vnd.wap.wbmp wbmp
            image/webp webp
            image/x-portable-pixmap ppm
            message/rfc822 eml mht mhtml
            model/3mf 3mf
            model/gltf+json gltf
            model/gltf-binary glb
            model/mtl mtl
            model/obj obj
            model/stl stl
            model/vnd.usdz+zip usdz
            model/vrml wrl
            text/cache-manifest appcache
            text/calendar ics ifb
            text/css css
            text/csv csv
            text/html html htm shtml
            text/javascript js mjs cjs
            text/markdown md markdown
            text/n3 n3
            text/plain txt text log conf ini asc properties
            text/richtext rtx
            text/sgml sgml sgm
            text/tab-separated-values tsv
            text/troff t tr roff man
            text/turtle ttl
            text/uri-list uri uris urls
            text/vcard vcf vcard
            text/vtt vtt
            text/x-c c cc cpp h hh
            text/x-component htc
            text/x-diff diff patch
            text/x-java-source java
            text/x-python py
            video/3gpp 3gp 3gpp
            video/3gpp2 3g2
            video/h264 h264
            video/matroska mkv
            video/mp2t ts m2ts
            video/mp4 mp4 m4v mpg4
            video/mpeg mpeg mpg mpe m1v m2v
            video/ogg ogv
            video/quicktime mov qt
            video/webm webm
            video/x-flv flv
            video/x-ms-wmv wmv
            video/x-msvideo avi
            """;

    private static final Map<String, String> BY_EXTENSION = read();

    private MediaTypes() {}

    /// Returns the media type of a file extension in lower case, without parameters; null if it is
    /// unknown.
    public static @Nullable String byExtension(String extension) {
        return BY_EXTENSION.get(extension);
    }

    /// Returns the value of Content-Type for a file name. The case of the extension does not
    /// matter. A type of `options` that has parameters is sent as it is.
    static String of(String fileName, FileOptions options) {
        int dot = fileName.lastIndexOf('.');
        if (dot < 0 || dot < fileName.lastIndexOf('/')) {
            return options.unknownType();
        }
        String extension = fileName.substring(dot + 1).toLowerCase(Locale.ROOT);
        @Nullable String type = options.types().get(extension);
        if (type == null) {
            type = BY_EXTENSION.get(extension);
        }
        if (type == null) {
            return options.unknownType();
        }
        boolean text = type.startsWith("text/") && type.indexOf(';') < 0;
        return text && !options.textCharset().isEmpty()
                ? type + "; charset=" + options.textCharset()
                : type;
    }

    private static Map<String, String> read() {
        Map<String, String> types = new HashMap<>();
        for (String line : TABLE.lines().toList()) {
            String[] words = line.split(" ", -1);
            for (int i = 1; i < words.length; i++) {
                if (types.put(words[i], words[0]) != null) {
                    throw new ExceptionInInitializerError("Two types for ." + words[i]);
                }
            }
        }
        return types;
    }
}
