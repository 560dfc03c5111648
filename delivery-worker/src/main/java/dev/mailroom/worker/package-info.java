/**
 * The delivery worker: the only app with Kafka and SMTP. Read {@code DeliveryWorker}
 * first.
 */
@NullMarked
package dev.mailroom.worker;

import org.jspecify.annotations.NullMarked;
