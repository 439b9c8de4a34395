package dev.serval.applications.spring;

import jakarta.servlet.http.HttpSession;
import jakarta.validation.Valid;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/// The pages of the application.
@Controller
public class NoteController {
    private static final int EVENTS = 3;

    private final List<Note> notes = new CopyOnWriteArrayList<>();

    /// Creates the controller. Spring calls it.
    public NoteController() {}

    /// Shows the notes, with a form for another, and how often this session saw the page.
    @GetMapping("/")
    public String list(Model model, HttpSession session) {
        Integer before = (Integer) Objects.requireNonNullElse(session.getAttribute("visits"), 0);
        session.setAttribute("visits", before + 1);
        model.addAttribute("note", new Note(""));
        return page(model, before + 1);
    }

    private String page(Model model, int visits) {
        model.addAttribute("notes", notes);
        model.addAttribute("visits", visits);
        return "notes";
    }

    /// Adds a note, or shows what is wrong with it.
    @PostMapping("/notes")
    public String add(@Valid @ModelAttribute("note") Note note, BindingResult result, Model model) {
        if (result.hasErrors()) {
            return page(model, 0);
        }
        notes.add(note);
        return "redirect:/";
    }

    /// Says how many bytes a file has.
    @PostMapping("/upload")
    @ResponseBody
    public String upload(@RequestParam("file") MultipartFile file) {
        return file.getOriginalFilename() + ": " + file.getSize() + " bytes";
    }

    /// Returns the notes as JSON.
    @GetMapping("/api/notes")
    @ResponseBody
    public List<Note> json() {
        return notes;
    }

    /// Adds a note from JSON.
    @PostMapping("/api/notes")
    @ResponseStatus(HttpStatus.CREATED)
    @ResponseBody
    public Note post(@Valid @RequestBody Note note) {
        notes.add(note);
        return note;
    }

    /// Answers from another thread, by a Callable.
    @GetMapping("/callable")
    @ResponseBody
    public Callable<String> callable() {
        return () -> "called";
    }

    /// Answers later, by a DeferredResult.
    @GetMapping("/deferred")
    @ResponseBody
    public DeferredResult<String> deferred() {
        DeferredResult<String> result = new DeferredResult<>(TimeUnit.SECONDS.toMillis(10));
        Thread.ofVirtual().start(() -> result.setResult("deferred"));
        return result;
    }

    /// Never answers, so that the timeout does.
    @GetMapping("/timeout")
    @ResponseBody
    public DeferredResult<String> timeout() {
        return new DeferredResult<>(50L, "timed out");
    }

    /// Sends three events.
    @GetMapping("/events")
    public SseEmitter events() {
        SseEmitter emitter = new SseEmitter();
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        for (int i = 1; i <= EVENTS; i++) {
                            emitter.send(
                                    SseEmitter.event().id(Integer.toString(i)).data("tick " + i));
                        }
                        emitter.complete();
                    } catch (IOException e) {
                        emitter.completeWithError(e);
                    }
                });
        return emitter;
    }

    /// Fails.
    @GetMapping("/fail")
    public String fail() {
        throw new IllegalStateException("the note is lost");
    }

    /// Shows a page for failures.
    @ExceptionHandler
    @ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
    public String failed(IllegalStateException e, Model model) {
        model.addAttribute("reason", e.getMessage());
        return "failed";
    }
}
