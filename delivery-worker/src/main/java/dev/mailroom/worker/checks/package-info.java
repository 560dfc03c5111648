/** Checks of received mail: SPF, DKIM, DMARC, spam and viruses. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.worker.checks;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
