/** What is due goes to the topic, bounded in flight and fairly across accounts. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.worker.dispatch;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
