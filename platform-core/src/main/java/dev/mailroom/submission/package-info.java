/**
 * The way to send, shared by REST, SMTP and the platform itself: a request is validated
 * and accepted.
 */
@ApplicationModule(allowedDependencies = { "account", "accept", "domain", "template" })
@NullMarked
package dev.mailroom.submission;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
