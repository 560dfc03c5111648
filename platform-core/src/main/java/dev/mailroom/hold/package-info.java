/** What operators stop: mail to single destinations, or the whole queue. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
@Core.Tables({ "destination_hold", "queue_pause" })
package dev.mailroom.hold;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
