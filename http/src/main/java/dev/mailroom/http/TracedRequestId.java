package dev.mailroom.http;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationFilter;

import org.springframework.http.server.reactive.observation.ServerRequestObservationContext;
import org.springframework.stereotype.Component;

/**
 * Adds the request id to traces and removes the path, because the paths of tracking and
 * unsubscribe links contain tokens.
 */
@Component
class TracedRequestId implements ObservationFilter {

	@Override
	public Observation.Context map(Observation.Context context) {
		if (context instanceof ServerRequestObservationContext request
				&& request.getAttributes().get(RequestIds.CONTEXT) instanceof String id) {
			context.addHighCardinalityKeyValue(KeyValue.of(RequestIds.CONTEXT, id));
			context.removeHighCardinalityKeyValue("http.url");
		}
		return context;
	}

}
