package dev.mailroom.api.http;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationFilter;

import org.springframework.http.server.reactive.observation.ServerRequestObservationContext;
import org.springframework.stereotype.Component;

/**
 * Puts a request's id into its trace, and takes its path out: the path of a link that we
 * made is a secret of whoever got it.
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
