/** Transport directly to the mail servers that DNS names for the recipients' domains. */
@ApplicationModule(allowedDependencies = { "transport", "smtp" })
@NullMarked
package dev.mailroom.worker.mx;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
