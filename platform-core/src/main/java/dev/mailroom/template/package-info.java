/** Templates: mails with placeholders, and their rendering. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
@Core.Tables("template")
package dev.mailroom.template;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
