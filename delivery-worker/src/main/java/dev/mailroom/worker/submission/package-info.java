/** Mail that tenants' programs submit over SMTP, with an API key as password. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.worker.submission;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
