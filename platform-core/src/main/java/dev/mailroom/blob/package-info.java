/** Large content in a bucket with the API of S3. Read {@code Blobs} first. */
@ApplicationModule(allowedDependencies = { "database" })
@NullMarked
@Core.Tables(writes = "blob_loose")
package dev.mailroom.blob;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
