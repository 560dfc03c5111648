/** Transport through an SMTP relay that accepts all mail. */
@ApplicationModule(allowedDependencies = { "transport", "smtp" })
@NullMarked
package dev.mailroom.worker.relay;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
