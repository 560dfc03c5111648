/** REST endpoints for templates. Read {@code TemplateController} first. */
@ApplicationModule(allowedDependencies = { "email", "http" })
@NullMarked
package dev.mailroom.api.template;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
