/** Composition of messages: MIME, and DKIM signatures of the sending domain. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.worker.compose;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
