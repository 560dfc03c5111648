/** A mail as the bytes that travel: MIME, and the domain's signatures. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.worker.compose;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
