/** Mails to be filled in: their placeholders, and what becomes of them. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.template;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
