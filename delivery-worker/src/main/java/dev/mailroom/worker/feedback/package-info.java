/**
 * What comes back: bounces and complaints, read and told to the funnel.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.worker.feedback;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
