/** What is too large for a row: kept in a bucket of its own, where there is one. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
@Core.Tables("blob_loose")
package dev.mailroom.blob;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
