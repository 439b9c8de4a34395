package dev.serval.applications.spring;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;

/// A note that a user has written.
///
/// @param title from 1 to 40 characters
public record Note(@NotBlank @Size(max = 40) String title) {}
