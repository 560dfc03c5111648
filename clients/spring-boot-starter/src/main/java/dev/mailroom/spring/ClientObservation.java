package dev.mailroom.spring;

import java.util.function.Supplier;

import dev.mailroom.sdk.CallObserver;
import dev.mailroom.sdk.MailroomException;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;

/** Observes calls as {@code mailroom.client}: operation, status and name of the error. */
record ClientObservation(ObservationRegistry registry) implements CallObserver {

	@Override
	public <T> T observe(String operation, Supplier<T> call) {
		// Calls of Mailroom.request are named by their path, which has ids.
		String name = operation.startsWith("/") ? "request" : operation;
		Observation observation = Observation.createNotStarted("mailroom.client", this.registry)
			.contextualName("mailroom " + name)
			.lowCardinalityKeyValue("operation", name)
			.lowCardinalityKeyValue("status", "2xx")
			.lowCardinalityKeyValue("error.name", "none")
			.start();
		try (Observation.Scope scope = observation.openScope()) {
			return call.get();
		}
		catch (MailroomException ex) {
			observation.lowCardinalityKeyValue("status", Integer.toString(ex.statusCode()))
				.lowCardinalityKeyValue("error.name", ex.name())
				.error(ex);
			throw ex;
		}
		finally {
			observation.stop();
		}
	}

}
