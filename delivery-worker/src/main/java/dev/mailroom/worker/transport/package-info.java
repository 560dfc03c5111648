/**
 * SMTP towards the next server: sessions, their opening, and the hand-over of one mail.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.worker.transport;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
