package dev.serval.applications.rest;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.sse.Sse;
import jakarta.ws.rs.sse.SseEventSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/// The items.
@Path("/items")
@Produces(MediaType.APPLICATION_JSON)
public final class ItemResource {
    private static final Map<String, Item> ITEMS = new ConcurrentSkipListMap<>();
    private static final int EVENTS = 3;

    /// Creates the resource. Jersey calls it.
    public ItemResource() {}

    /// Returns all items by their identifiers.
    @GET
    public Map<String, Item> all() {
        return ITEMS;
    }

    /// Returns an item.
    @GET
    @Path("{id}")
    public Item one(@PathParam("id") String id) {
        @Nullable Item item = ITEMS.get(id);
        if (item == null) {
            throw new NotFoundException();
        }
        return item;
    }

    /// Keeps an item.
    @PUT
    @Path("{id}")
    @Consumes(MediaType.APPLICATION_JSON)
    public Response keep(@PathParam("id") String id, Item item, @Context UriInfo uri) {
        return ITEMS.put(id, item) == null
                ? Response.created(uri.getAbsolutePath()).build()
                : Response.noContent().build();
    }

    /// Answers from another thread.
    @GET
    @Path("later")
    @Produces(MediaType.TEXT_PLAIN)
    public void later(@Suspended AsyncResponse answer) {
        Thread.ofVirtual().start(() -> answer.resume("later"));
    }

    /// Sends three events.
    @GET
    @Path("events")
    @Produces(MediaType.SERVER_SENT_EVENTS)
    public void events(@Context SseEventSink sink, @Context Sse sse) {
        Thread.ofVirtual()
                .start(() -> {
                    try (sink) {
                        for (int i = 1; i <= EVENTS; i++) {
                            sink.send(sse.newEvent("tick " + i));
                        }
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    /// Fails.
    @GET
    @Path("fail")
    public String fail() {
        throw new IllegalStateException("the item is lost");
    }
}
