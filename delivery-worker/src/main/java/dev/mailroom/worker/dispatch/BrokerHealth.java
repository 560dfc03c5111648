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
 * Whether the broker answers. Mail is accepted without it and waits in the queue: it is
 * this worker alone that has nothing to do.
 */
@Component("broker")
class BrokerHealth implements ReactiveHealthIndicator, DisposableBean {

	private static final Logger log = LoggerFactory.getLogger(BrokerHealth.class);

	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private final Map<String, Object> settings;

	private final AtomicBoolean away = new AtomicBoolean();

	private @Nullable Admin admin;

	BrokerHealth(KafkaProperties kafka) {
		this.settings = kafka.buildAdminProperties();
		this.settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis());
		this.settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis());
	}

	@Override
	public Mono<Health> health() {
		return Mono.fromCallable(this::admin)
			.subscribeOn(Schedulers.boundedElastic())
			.flatMap((asked) -> Mono.fromCompletionStage(asked.describeCluster().clusterId().toCompletionStage()))
			.timeout(PATIENCE)
			.map((_) -> say(false))
			.onErrorResume((_) -> Mono.fromSupplier(() -> {
				destroy();
				return say(true);
			}));
	}

	private Health say(boolean gone) {
		if (this.away.getAndSet(gone) != gone) {
			log.warn(gone ? "Not ready: the broker does not answer" : "The broker answers again");
		}
		return (gone ? Health.down() : Health.up()).build();
	}

	/** Made when it is first asked for: a broker's name may not be known at the start. */
	private synchronized Admin admin() {
		Admin made = this.admin;
		if (made == null) {
			made = Admin.create(this.settings);
			this.admin = made;
		}
		return made;
	}

	/** A client whose broker is away would look for it without a pause. */
	@Override
	public synchronized void destroy() {
		if (this.admin != null) {
			this.admin.close(Duration.ZERO);
			this.admin = null;
		}
	}

}
