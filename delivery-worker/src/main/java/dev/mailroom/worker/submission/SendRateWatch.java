package dev.mailroom.worker.submission;

import java.util.concurrent.TimeUnit;

import dev.mailroom.quota.SendRates;
import reactor.core.publisher.Mono;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Reads the rates that operators set, every two seconds. */
@Component
class SendRateWatch {

	private final SendRates rates;

	SendRateWatch(SendRates rates) {
		this.rates = rates;
	}

	@Scheduled(fixedDelay = 2, timeUnit = TimeUnit.SECONDS)
	Mono<Void> read() {
		return this.rates.refresh();
	}

}
