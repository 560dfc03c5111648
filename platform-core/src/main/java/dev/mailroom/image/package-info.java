/**
 * Images that accounts upload for their mails, in the row or in the bucket. Read
 * {@code Images} first.
 */
@ApplicationModule(allowedDependencies = { "account", "blob", "database" })
@NullMarked
@Core.Tables(writes = { "image" })
package dev.mailroom.image;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
