package shop.web;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import shop.core.NotFoundException;
import shop.core.ShopException;

/** Finds the method that answers a request. */
public class Router {

    private final List<Target> targets = new ArrayList<>();

    public Router register(Object... controllers) {
        for (Object controller : controllers) {
            for (Method method : controller.getClass().getDeclaredMethods()) {
                for (Route route : method.getAnnotationsByType(Route.class)) {
                    targets.add(new Target(route, controller, method));
                }
            }
        }
        return this;
    }

    public Response handle(Request request) {
        for (Target target : targets) {
            if (target.matches(request)) {
                return call(target, request);
            }
        }
        return Response.NOT_FOUND;
    }

    private static Response call(Target target, Request request) {
        try {
            return target.call(request);
        } catch (NotFoundException missing) {
            return Response.status(404).header("X-Missing", missing.id().toString()).body(missing.getMessage());
        } catch (ShopException problem) {
            return Response.status(409).body(problem.getMessage());
        }
    }

    private record Target(Route route, Object controller, Method method) {

        boolean matches(Request request) {
            return route.method() == request.method() && route.path().equals(request.path());
        }

        Response call(Request request) {
            try {
                return (Response) method.invoke(controller, request);
            } catch (InvocationTargetException failed) {
                if (failed.getCause() instanceof RuntimeException cause) {
                    throw cause;
                }
                throw new IllegalStateException(failed);
            } catch (IllegalAccessException hidden) {
                throw new IllegalStateException(hidden);
            }
        }
    }
}
