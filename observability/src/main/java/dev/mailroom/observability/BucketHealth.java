package dev.mailroom.observability;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

import dev.mailroom.blob.Blobs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.ReactiveHealthIndicator;
import org.springframework.stereotype.Component;

/**
 * Health of the bucket: it has answered since the start, so that an app with a wrong
 * bucket or wrong credentials serves nobody. Later faults do not change it, because mail
 * without large content needs no bucket.
 */
@Component("bucket")
class BucketHealth implements ReactiveHealthIndicator {

	private static final Logger log = LoggerFactory.getLogger(BucketHealth.class);

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private final Blobs blobs;

	private final AtomicReference<String> logged = new AtomicReference<>("");

	private volatile boolean answered;

	BucketHealth(Blobs blobs) {
		this.blobs = blobs;
	}

	@Override
	public Mono<Health> health() {
		if (this.answered) {
			return Mono.just(Health.up().build());
		}
		return this.blobs.check().timeout(TIMEOUT).then(Mono.fromCallable(() -> {
			this.answered = true;
			return Health.up().build();
		})).onErrorResume((error) -> {
			String fault = String.valueOf(error.getMessage());
			if (!fault.equals(this.logged.getAndSet(fault))) {
				log.warn("Not ready: the bucket cannot be used ({}). Check MAILROOM_S3_BUCKET and the other S3 "
						+ "settings", fault);
			}
			return Mono.just(Health.down().build());
		});
	}

}
