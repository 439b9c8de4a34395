package dev.serval.examples.shop.web;

import dev.serval.examples.shop.Shop;
import dev.serval.examples.shop.cover.Cover;
import dev.serval.examples.shop.cover.Covers;
import dev.serval.examples.shop.store.Book;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The covers: `/cover/17-2.svg` is design 2 of book 17, and `/cover/17-2-large.svg` a larger picture.
///
/// A cover never changes, since another design has another address, so browsers and caches may keep it.
/// The address of a design that is not the present one shows the present one, but not for long.
public final class CoverServlet extends HttpServlet {
    private static final long serialVersionUID = 1;
    private static final Pattern NAME =
            Pattern.compile("/([1-9][0-9]{0,8})-([0-9]{1,9})(-large)?\\.svg");

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        String path = request.getPathInfo();
        Matcher name = NAME.matcher(path == null ? "" : path);
        if (!name.matches()) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
            return;
        }
        int book = Integer.parseInt(name.group(1));
        int design = Integer.parseInt(name.group(2));
        boolean large = name.group(3) != null;
        Covers.Drawn cover = cover(book, design, large);
        if (cover == null) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
            return;
        }
        send(cover, cover.design() == design, request, response);
    }

    private Covers.@Nullable Drawn cover(int id, int design, boolean large) {
        Shop shop = Shop.of(getServletContext());
        Covers covers = shop.covers(large);
        Covers.Drawn kept = covers.of(id);
        if (kept != null && kept.design() == design) {
            return kept;
        }
        Book book = shop.catalogue().book(id);
        if (book == null) {
            return null;
        }
        byte[] svg = Cover.draw(id, book.cover(), book.title(), book.author(), large);
        Covers.Drawn drawn = new Covers.Drawn(id, book.cover(), svg);
        covers.keep(drawn);
        return drawn;
    }

    private static void send(
            Covers.Drawn cover,
            boolean asked,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        String tag = "\"" + cover.book() + "-" + cover.design() + "-" + cover.svg().length + "\"";
        response.setHeader("ETag", tag);
        response.setHeader(
                "Cache-Control", asked ? "public, max-age=31536000, immutable" : "no-cache");
        if (tag.equals(request.getHeader("If-None-Match"))) {
            response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
            return;
        }
        response.setContentType("image/svg+xml");
        response.setHeader("Content-Security-Policy", "default-src 'none'");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setContentLength(cover.svg().length);
        response.getOutputStream().write(cover.svg());
    }
}
