package dev.mailroom.worker.dispatch;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.ReactiveHealthIndicator;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.stereotype.Component;

/**
 * Health of the Kafka broker, no part of readiness: without a broker the listeners accept
 * mail, which waits in the queue, and a worker that is not ready would stop a rollout.
 */
@Component("broker")
class BrokerHealth implements ReactiveHealthIndicator, DisposableBean {

	private static final Logger log = LoggerFactory.getLogger(BrokerHealth.class);

	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	private final Map<String, Object> settings;

	private final AtomicBoolean down = new AtomicBoolean();

	private @Nullable Admin admin;

	BrokerHealth(KafkaProperties kafka) {
		this.settings = kafka.buildAdminProperties();
		this.settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) TIMEOUT.toMillis());
		this.settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) TIMEOUT.toMillis());
	}

	@Override
	public Mono<Health> health() {
		return Mono.fromCallable(this::admin)
			.subscribeOn(Schedulers.boundedElastic())
			.flatMap((admin) -> Mono.fromCompletionStage(admin.describeCluster().clusterId().toCompletionStage()))
			.timeout(TIMEOUT)
			.map((_) -> report(false))
			.onErrorResume((_) -> Mono.fromSupplier(() -> {
				destroy();
				return report(true);
			}));
	}

	private Health report(boolean nowDown) {
		if (this.down.getAndSet(nowDown) != nowDown) {
			log.warn(nowDown ? "The broker does not answer" : "The broker answers again");
		}
		return (nowDown ? Health.down() : Health.up()).build();
	}

	/** Created on first use, because the broker's name may not resolve at the start. */
	private synchronized Admin admin() {
		Admin current = this.admin;
		if (current == null) {
			current = Admin.create(this.settings);
			this.admin = current;
		}
		return current;
	}

	/** Closes the client; the next check resolves the broker's name again. */
	@Override
	public synchronized void destroy() {
		if (this.admin != null) {
			this.admin.close(Duration.ZERO);
			this.admin = null;
		}
	}

}
