/** The delivery worker: the only app with Kafka and SMTP. */
@NullMarked
package dev.mailroom.worker;

import org.jspecify.annotations.NullMarked;
