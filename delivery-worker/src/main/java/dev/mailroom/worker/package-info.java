/** The machinery that moves mail: the only one that knows Kafka and SMTP. */
@NullMarked
package dev.mailroom.worker;

import org.jspecify.annotations.NullMarked;
