/** Mails to be filled in: their placeholders, and what becomes of them. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
@Core.Tables("template")
package dev.mailroom.template;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
