/**
 * Sending: leases from the topic pass the fence, mails are handed over to a transport,
 * and the outcomes are settled. Read {@code SenderThreads} first.
 */
@ApplicationModule(allowedDependencies = { "compose", "dispatch", "smtp.client" })
@NullMarked
package dev.mailroom.worker.send;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
