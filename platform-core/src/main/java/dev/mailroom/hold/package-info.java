/** Stops by operators: of mail to single destinations, or of the streams of the queue. */
@ApplicationModule(allowedDependencies = "wire")
@NullMarked
@Core.Tables({ "destination_hold", "queue_pause" })
package dev.mailroom.hold;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
