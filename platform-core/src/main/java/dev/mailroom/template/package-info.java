/**
 * Templates: mails with placeholders, and their rendering. Read {@code Templates} first.
 */
@ApplicationModule(allowedDependencies = { "database", "secret" })
@NullMarked
@Core.Tables(writes = { "template", "template_version", "block_document" })
package dev.mailroom.template;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
