/**
 * The delivery queue: leases, the fence, and the content of what passed it.
 */
@ApplicationModule(allowedDependencies = { "blob", "seal", "suppression", "wire" })
@NullMarked
package dev.mailroom.queue;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
