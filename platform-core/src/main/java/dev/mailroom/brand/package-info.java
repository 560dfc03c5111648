/**
 * The account as recipients see it: its name, logo, colour and languages, and the layout
 * of the mails that Mailroom writes. Read {@code Brands} first.
 */
@ApplicationModule(allowedDependencies = { "audit", "blob", "database", "image", "secret" })
@NullMarked
@Core.Tables(writes = { "brand" })
package dev.mailroom.brand;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
