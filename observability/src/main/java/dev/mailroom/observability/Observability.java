package dev.mailroom.observability;

import dev.mailroom.Core;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Import;

/** Registers the meters and the health of each app that imports the core. */
@AutoConfiguration
@ConditionalOnBean(Core.class)
@Import({ AcceptHealth.class, BacklogMeters.class, DatabaseHealth.class, DeliveryMeters.class, QueueMeters.class,
		QuotaMeters.class, ReputationMeters.class })
class Observability {

}
