package dev.mailroom.api.rate;

import java.util.concurrent.TimeUnit;

import dev.mailroom.quota.SendRates;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Reads the rates that operators set, every two seconds. */
@Component
@EnableScheduling
class SendRateWatch {

	private static final Logger log = LoggerFactory.getLogger(SendRateWatch.class);

	private final SendRates rates;

	SendRateWatch(SendRates rates) {
		this.rates = rates;
	}

	/** Those read last stay in force while the database does not reply. */
	@Scheduled(fixedDelay = 2, timeUnit = TimeUnit.SECONDS)
	Mono<Void> read() {
		return Mono.defer(this.rates::read).onErrorResume((error) -> {
			log.warn("The rates of accounts could not be read: {}", error.toString());
			return Mono.empty();
		});
	}

}
