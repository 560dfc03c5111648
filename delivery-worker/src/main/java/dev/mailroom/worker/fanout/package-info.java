/** The loop that turns running campaigns into mail, page by page. */
@ApplicationModule(allowedDependencies = { "dispatch", "loop" })
@NullMarked
package dev.mailroom.worker.fanout;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
